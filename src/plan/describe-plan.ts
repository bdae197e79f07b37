import { formatBytes } from '../lib/format.ts';
import type { Content } from '../media/content.ts';
import { DIRECT_UPLOAD_CAP } from '../service/upload.ts';
import type { Plan } from './plan.ts';

/** The lines that a dry run prints: what would be sent, to where and why, and what would be reused or awaited. */
export function describePlan({ submit, reuse, await: awaited }: Plan): readonly string[] {
  const open = awaited.flatMap(({ submissionId, contents }) => contents.map((content) => ({ content, submissionId })));
  const total = submit.reduce((sum, { content }) => sum + content.size, 0);
  return [
    ...submit.map(({ content, why }) => {
      const what = content.size <= DIRECT_UPLOAD_CAP ? 'send to service' : 'send to storage';
      return line(what, content, `${content.file.type.mime}; ${why}`);
    }),
    ...open.map(({ content, submissionId }) => line('wait', content, `in submission ${submissionId}`)),
    ...reuse.map(({ content, known }) => line('reuse', content, `analysed ${known.analysedAt.slice(0, 10)}`)),
    `${submit.length} to send (${formatBytes(total)}), ${reuse.length} to reuse, ${open.length} to wait for`,
  ];
}

function line(what: string, { size, paths }: Content, why: string): string {
  return `${what.padEnd(16)} ${formatBytes(size).padStart(9)}  ${paths.join(', ')} (${why})`;
}
