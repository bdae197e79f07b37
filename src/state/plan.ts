import { GateError } from '../cause.ts';
import type { Log } from '../log.ts';
import type { MediaFile } from '../media/file.ts';
import { assetName } from '../media/name.ts';
import { formatBytes } from '../media/size.ts';

/** The same bytes, wherever they lie in the repository: one asset at the service. */
export interface Content {
  readonly sha256: string;
  readonly size: number;
  /** Sorted; at least one. */
  readonly paths: readonly string[];
  /** The file that is sent for all of them. */
  readonly file: MediaFile;
  /** What the service is told as its file name: one name means one content. */
  readonly name: string;
}

/** inspect → plan → upload */
export interface Plan {
  /** What has to be analysed, in the order of its paths. */
  readonly submit: readonly Content[];
}

/** Decides what is sent. */
export function plan(files: readonly MediaFile[], repositoryId: string): Plan {
  const byContent = Map.groupBy(files, (file) => file.sha256);
  const submit = [...byContent.values()].map((group) => content(group, repositoryId));
  return { submit };
}

function content(group: readonly MediaFile[], repositoryId: string): Content {
  const [file] = group;
  if (!file) throw new RangeError('A content has at least one file');
  return {
    sha256: file.sha256,
    size: file.stamp.size,
    paths: group.map((member) => member.path),
    file,
    name: assetName(file.path, file.sha256, repositoryId, file.type.extension),
  };
}

/** A guard against a surprise bill: a pattern that matches a whole archive should cost a red check, not money. */
export function refuseTooMany({ submit }: Plan, maxFiles: number): void {
  if (submit.length <= maxFiles) return;
  throw new GateError({
    reason: 'pre-flight',
    message: `${submit.length} files would be sent, and \`max-files\` allows ${maxFiles}. Nothing was sent.`,
    fix: 'Narrow the patterns in `files`, or raise `max-files` if you mean to pay for them all.',
  });
}

/** What a dry run prints. */
export function describePlan({ submit }: Plan, log: Log): void {
  for (const { paths, size, file } of submit)
    log.info(`send  ${formatBytes(size).padStart(9)}  ${file.type.mime}  ${paths.join(', ')}`);
  const total = submit.reduce((sum, { size }) => sum + size, 0);
  log.info(`${submit.length} assets, ${formatBytes(total)}`);
}
