import type { Log } from '../log.ts';
import type { Content } from '../media/content.ts';
import { formatBytes } from '../media/size.ts';
import { DIRECT_UPLOAD_CAP } from '../service/upload.ts';
import type { Plan } from './plan.ts';

/** What a dry run prints: what would be sent, how and why, and what would not. */
export function describePlan({ submit, reuse, await: awaited }: Plan, log: Log): void {
  const line = (what: string, content: Content, why: string): void =>
    log.info(`${what.padEnd(16)} ${formatBytes(content.size).padStart(9)}  ${content.paths.join(', ')} (${why})`);
  for (const { content, why } of submit) {
    line(
      content.size <= DIRECT_UPLOAD_CAP ? 'send to service' : 'send to storage',
      content,
      `${content.file.type.mime}; ${why}`,
    );
  }
  for (const { submissionId, contents } of awaited) {
    for (const content of contents) line('wait', content, `in submission ${submissionId}`);
  }
  for (const { content, known } of reuse) line('reuse', content, `analysed ${known.analysedAt.slice(0, 10)}`);
  const total = submit.reduce((sum, { content }) => sum + content.size, 0);
  log.info(
    `${submit.length} to send (${formatBytes(total)}), ${reuse.length} to reuse, ${awaited.flatMap(({ contents }) => contents).length} to wait for`,
  );
}
