/**
 * Makes src/report/page/generated.ts from the script and the style of report.html, which have to be texts in the bundle.
 * `npm run build` does it; a test compares the two.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { isMain } from './is-main.ts';

const PAGE = fileURLToPath(new URL('../src/report/page/', import.meta.url));
export const GENERATED = path.join(PAGE, 'generated.ts');

export async function generatePageAssets(): Promise<string> {
  const style = await readFile(path.join(PAGE, 'client/page.css'), 'utf8');
  return [
    '// Made from client/ by scripts/page-assets.ts. Do not edit: change client/ and run `npm run build`.',
    constant('EARLY_SCRIPT', await bundle('early.ts')),
    constant('SCRIPT', await bundle('main.ts')),
    constant(
      'STYLE',
      style
        .replaceAll(/\/\*.*?\*\/\n?/gs, '')
        .replaceAll(/\s*\n\s*/g, ' ')
        .trim(),
    ),
    '',
  ].join('\n');
}

export async function writePageAssets(): Promise<void> {
  await writeFile(GENERATED, await generatePageAssets());
}

async function bundle(name: string): Promise<string> {
  const built = await rolldown({ input: path.join(PAGE, 'client', name), platform: 'browser' });
  const { output } = await built.generate({ format: 'iife', minify: true });
  await built.close();
  const { code } = output[0];
  // Would end the element that the script stands in.
  if (/<\/script|<!--/i.test(code)) throw new Error(`The script of the page cannot stand in HTML: ${name}`);
  return code.trim();
}

function constant(name: string, text: string): string {
  return `export const ${name}: string = ${JSON.stringify(text)};`;
}

if (isMain(import.meta.url)) await writePageAssets();
