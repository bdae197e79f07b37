import { data, Evaluator, Lexer, Parser } from '@actions/expressions';

/** What expressions can see: `github`, `steps`, `needs`, … */
export type Contexts = Readonly<Record<string, unknown>>;

/** How the job stands, for `success()` and its like. */
export interface Standing {
  readonly hasFailed: boolean;
  readonly workspaceHas: (path: string) => boolean;
}

/** Fills in the `${{ … }}` of a text, with GitHub's own evaluator. */
export function fill(text: string, contexts: Contexts, standing: Standing): string {
  return text.replace(/\$\{\{([\s\S]*?)\}\}/g, (_whole, expression: string) =>
    evaluate(expression, contexts, standing).coerceString(),
  );
}

/** Whether an `if:` lets a step run. Without a status function it also asks for success. */
export function holds(condition: string | boolean | undefined, contexts: Contexts, standing: Standing): boolean {
  const text = String(condition ?? 'success()').replace(/^\s*\$\{\{([\s\S]*)\}\}\s*$/, '$1');
  const isStatus = /\b(success|failure|always|cancelled)\(\)/.test(text);
  return isTrue(evaluate(isStatus ? text : `success() && (${text})`, contexts, standing));
}

function evaluate(expression: string, contexts: Contexts, { hasFailed, workspaceHas }: Standing): data.ExpressionData {
  const functions = [
    define('success', 0, () => new data.BooleanData(!hasFailed)),
    define('failure', 0, () => new data.BooleanData(hasFailed)),
    define('always', 0, () => new data.BooleanData(true)),
    define('cancelled', 0, () => new data.BooleanData(false)),
    define('hashFiles', 1, (path) => new data.StringData(workspaceHas(path?.coerceString() ?? '') ? 'a hash' : '')),
  ];
  const { tokens } = new Lexer(expression).lex();
  const parsed = new Parser(tokens, Object.keys(contexts), functions).parse();
  const values: data.Dictionary = JSON.parse(JSON.stringify(contexts), data.reviver);
  const byName = new Map(functions.map((each) => [each.name.toLowerCase(), each]));
  return new Evaluator(parsed, values, byName).evaluate();
}

function define(name: string, args: number, call: (...args: data.ExpressionData[]) => data.ExpressionData) {
  return { name, minArgs: args, maxArgs: args, call };
}

/** False, null, zero and nothing are false; all else is true. */
function isTrue(value: data.ExpressionData): boolean {
  return value.primitive ? !['', '0', 'false'].includes(value.coerceString()) : true;
}
