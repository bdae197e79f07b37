import * as fc from 'fast-check';

/** Texts that would be interpreted if they were not escaped. */
const TEXTS: readonly string[] = [
  '::set-env name=NODE_OPTIONS::--require=/tmp/evil.js',
  '::set-output name=verdict::pass',
  '::save-state name=main-started::',
  '::stop-commands::pwned',
  '::add-mask::verdict',
  ' \t::error file=x::pwned',
  'a\r::set-env name=PWNED::1',
  'a\n::set-env name=PWNED::1',
  '%0A::set-env name=PWNED::1',
  '##[set-env name=PWNED;]1',
  'verdict<<EOF\npass\nEOF',
  'EOF\nverdict=pass\n',
  'ghadelimiter_00000000-0000-0000-0000-000000000000\nverdict=pass',
  'x,file=/etc/passwd,line=1::pwned',
  '</details><script>globalThis.pwned = true</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1)) ![x](https://evil.example/x.png)',
  '@octocat #1 GH-2 https://evil.example',
  '../../../../etc/passwd',
  '..\\..\\windows\\system32',
  '${{ secrets.COMPLIANCE_API_KEY }}',
  '$(touch /tmp/pwned)`touch /tmp/pwned`',
  '__proto__',
  '\u202egnp.exe',
  '\u2028::error::x\u2029',
  '\u001b]0;pwned\u0007\u001b[2J',
  '-rf',
  '!exclude',
  '{a,b}',
  '[a-z]',
  '*',
  'NUL',
  ' leading and trailing ',
  'a'.repeat(190),
];

export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...Array.from('<>&"\'`*_[]()#!|~\\^$:/@-+=.,;%\r\n 1a')), maxLength: 40 }),
  fc.tuple(fc.constantFrom(...TEXTS), fc.constantFrom(...TEXTS)).map((two) => two.join('')),
);

const MAX_BYTES = 230;

/** Any name that a disk accepts for an image. */
const anyName: fc.Arbitrary<string> = anyText
  .map((text) => clipped(text.replaceAll(/[/\0]/g, '_').toWellFormed()))
  .map((text) => `${text}.png`);

/** Paths of files; a folder may be as hostile as a file. */
export const anyPath: fc.Arbitrary<string> = fc
  .tuple(fc.option(anyName, { nil: undefined }), anyName)
  .map(([folder, name]) => (folder === undefined ? name : `${folder.slice(0, -'.png'.length) || '_'}_/${name}`));

function clipped(text: string): string {
  let kept = text;
  while (Buffer.byteLength(kept) > MAX_BYTES) kept = kept.slice(0, -10).toWellFormed();
  return kept;
}

/** An issue with hostile text in every field. */
export const anyIssue = fc.record({
  severity: fc.oneof(fc.constantFrom('CRITICAL', 'MAJOR', 'MINOR', 'INFO'), anyText),
  status: fc.oneof(fc.constantFrom('OPEN', 'DISMISSED'), anyText),
  ruleCode: anyText,
  summary: anyText,
  severityReasoning: anyText,
  severityReasoningHeadline: anyText,
  precedents: fc.array(fc.record({ url: anyText, title: anyText, decision: anyText, date: anyText }), { maxLength: 2 }),
});
