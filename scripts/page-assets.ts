/**
 * Makes src/report/page/generated.ts from the app and the style of report.html, which have to be texts in the bundle.
 * `npm run build` does it; tests do not read the file, except one that compares the two.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const PAGE = fileURLToPath(new URL('../src/report/page/', import.meta.url));
export const GENERATED = path.join(PAGE, 'generated.ts');

/** Valid as TypeScript and as JavaScript. */
export async function generatePageAssets(): Promise<string> {
  const style = await readFile(path.join(PAGE, 'app/page.css'), 'utf8');
  return [
    '// Made from app/ by scripts/page-assets.ts. Do not edit: change app/ and run `npm run build`.',
    constant('SCRIPT', await bundleApp()),
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

async function bundleApp(): Promise<string> {
  const bundle = await rolldown({
    input: path.join(PAGE, 'app/main.tsx'),
    platform: 'browser',
    tsconfig: path.join(PAGE, 'app/tsconfig.json'),
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  const { code } = output[0];
  // This text would end the script element.
  if (/<\/script|<!--/i.test(code)) throw new Error('The script of the page cannot stand in HTML.');
  return code.trim();
}

function constant(name: string, text: string): string {
  return `export const ${name} = ${JSON.stringify(text)};`;
}
