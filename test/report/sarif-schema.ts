import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

let compiled: ValidateFunction | undefined;

/** The official schema of SARIF 2.1.0, compiled when first needed. */
export function sarifValidator(): ValidateFunction {
  if (compiled) return compiled;
  const file = new URL('../schemas/sarif-2.1.0.json', import.meta.url);
  const ajv = new Ajv({ strict: false, unicodeRegExp: false, validateSchema: false });
  addFormats.default(ajv);
  const { $schema: _, ...schema } = Object(JSON.parse(readFileSync(file, 'utf8')));
  compiled = ajv.compile(schema);
  return compiled;
}

/** Throws if the text is not valid SARIF. */
export function assertValidSarif(text: string): void {
  const validate = sarifValidator();
  if (!validate(JSON.parse(text))) throw new Error(`report.sarif is not valid: ${JSON.stringify(validate.errors)}`);
}
