import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const SECRET_INPUTS = ['api-key', 'state-key', 'github-token'];

/** Everything that a run has written, by name: log, summary, outputs, report files, state. */
export type Written = ReadonlyMap<string, string>;

interface Sources {
  readonly folders: ReadonlySet<string>;
  readonly log: string;
  readonly masks: readonly string[];
  readonly inputs: Readonly<Record<string, string>>;
}

export async function readWritten({ folders, log, masks, inputs }: Sources): Promise<Written> {
  const written = new Map<string, string>();
  const addFiles = async (folder: string, start = ''): Promise<void> => {
    const entries = await readdir(folder, { recursive: start === '', withFileTypes: true }).catch(() => []);
    for (const entry of entries.filter((each) => each.isFile() && each.name.startsWith(start))) {
      const file = path.join(entry.parentPath, entry.name);
      // A concurrent run may have removed its draft meanwhile.
      written.set(path.relative(folder, file), await readFile(file, 'utf8').catch(() => ''));
    }
  };
  for (const folder of folders) await addFiles(folder);
  const { 'state-file': state } = inputs;
  // A killed run may have left drafts beside the state file.
  if (state) await addFiles(path.dirname(state), path.basename(state));
  written.set('log', hide(masks, secretsOf(inputs), log));
  return written;
}

/**
 * Hides what the runner would hide: with debugging on, the artifact client prints upload addresses and masks their
 * signatures. Our own secrets are not hidden here, because the action must never print them.
 */
function hide(masks: readonly string[], secrets: readonly string[], log: string): string {
  const others = masks.filter((mask) => !secrets.includes(mask));
  return others.reduce((text, mask) => text.replaceAll(mask, '***'), log.replaceAll(/^::add-mask::.*$/gm, ''));
}

export function secretsOf(inputs: Readonly<Record<string, string>>): string[] {
  return SECRET_INPUTS.map((name) => inputs[name] ?? '').filter(Boolean);
}

/** Names each place that has a secret or a signed address, plain or encoded, and the secret's first characters. */
export function leaksIn(written: Written, secrets: readonly string[]): string[] {
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('hex'),
  ]);
  return [...written].flatMap(([place, text]) => [
    ...new Set(forms.filter((form) => text.includes(form)).map((form) => `${place}: ${form.slice(0, 8)}…`)),
    // A signature must be replaced by stars, which are entities in Markdown.
    ...(/sig=(?!\*\*\*|&#42;)/.test(text) ? [`${place}: a signed address`] : []),
  ]);
}
