import { existsSync } from 'node:fs';
import path from 'node:path';
import { DEFAULT_PATTERNS, FilePatterns, PatternError, parsePattern } from '../media/patterns.ts';
import { formatChoices, type InputReader, quoted } from './reader.ts';

/** @param searchRoot the folder to which the patterns are relative */
export function parseFiles(reader: InputReader, searchRoot: string): FilePatterns {
  const lines = reader
    .text('files')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const wrong = lines.find((line) => isMistaken(line, searchRoot));
  if (wrong !== undefined) {
    const corrected = lines.flatMap((line) => (isMistaken(line, searchRoot) ? correct(line) : [line]));
    const takes = 'one pattern in each line, without a list mark, quotation marks and commas between patterns';
    reader.reject('files', quoted(wrong), `${takes}: ${formatChoices(corrected, 'and')}`);
    return new FilePatterns([]);
  }
  // If every line begins with `!`, the lines exclude files from the default patterns.
  const all = lines.every((line) => line.startsWith('!')) ? [...DEFAULT_PATTERNS, ...lines] : lines;
  const files = all.flatMap((line) => {
    try {
      return [parsePattern(line, { windows: process.platform === 'win32' })];
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      reader.reject('files', `${quoted(line)}, ${error.message}`, 'relative patterns, such as `media/**/*.mp4`');
      return [];
    }
  });
  return new FilePatterns(files);
}

/** Whether a line is written like an item of a list (`- "media/**"`), and is not the name of a file or folder. */
function isMistaken(line: string, searchRoot: string): boolean {
  const parts = line.replace(/^!\s*/, '').split('/');
  const wildcard = parts.findIndex((part) => /[*?{]/.test(part));
  const name = parts.slice(0, wildcard === -1 ? undefined : wildcard).join('/');
  const isName = name !== correct(name).join() && existsSync(path.join(searchRoot, name));
  return line !== correct(line).join() && !isName;
}

/** The patterns in a line such as `- "media/**"` or `media/**, docs/**`. A comma in braces separates no patterns. */
function correct(line: string): readonly string[] {
  const [, mark = '', list = ''] = /^(?:-\s+)?(!?)(.*)$/s.exec(line) ?? [];
  return list
    .split(/,(?:\s+|$)(?![^{]*\})/)
    .map((each) => mark + each.replace(/^(["'`])(.*)\1$/s, '$2'))
    .filter((each) => each !== mark);
}
