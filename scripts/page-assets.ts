/**
 * Makes src/report/page/generated.ts from the app and the style of report.html, which have to be texts in the bundle.
 * `npm run build` does it; tests do not read the file, except one that compares the two.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PAGE = path.join(ROOT, 'src/report/page');
export const GENERATED = path.join(PAGE, 'generated.ts');

/** What the page may be made of. Of the last three, only the list of severities is left in it. */
const MADE_FOR_PAGE = [
  'src/report/page/app/',
  'src/report/phrases.ts',
  'src/report/report.ts',
  'src/causes/cause.ts',
  'src/lib/escape.ts',
  'src/lib/format.ts',
  'node_modules/preact/',
  'src/service/analysis.ts',
  'src/service/issue.ts',
  'src/service/responses.ts',
  'node_modules/valibot/',
];

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
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/ ?([{};,]) ?/g, '$1')
        .trim(),
    ),
    '',
  ].join('\n');
}

export async function writePageAssets(): Promise<void> {
  await writeFile(GENERATED, await generatePageAssets());
}

async function bundleApp(): Promise<string> {
  const input = path.join(PAGE, 'app/main.tsx');
  const bundle = await rolldown({
    input,
    platform: 'browser',
    tsconfig: path.join(PAGE, 'app/tsconfig.json'),
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true, comments: false });
  await bundle.close();
  const { code, moduleIds, imports } = output[0];
  const modules = [...moduleIds.filter((id) => id !== input), ...imports].map((id) => path.relative(ROOT, id));
  const others = modules
    .map((name) => name.replaceAll(path.sep, '/'))
    .filter((name) => !MADE_FOR_PAGE.some((made) => name.startsWith(made)));
  if (others.length > 0) throw new Error(`These modules are not made for the page: ${others.join(', ')}.`);
  // This text would end the script element.
  if (/<\/script|<!--/i.test(code)) throw new Error('The script of the page cannot stand in HTML.');
  return code.trim();
}

function constant(name: string, text: string): string {
  return `export const ${name} = ${JSON.stringify(text)};`;
}
