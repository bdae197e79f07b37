import { fileURLToPath } from 'node:url';
import { API, type Checker, type Type, TypeFlags, type TypeReference } from 'typescript/unstable/sync';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const STEP = {
  actor:
    'Who can do it: the author of the change (without a pull request, the owner of the file), the owner of the ' +
    'workflow or of the account at the service, or anyone with write access.',
  text: 'Backticks mark a name as code.',
  link: 'The address of the page where it is done.',
};

/**
 * For readers of report.json, in place of the comments of types that are not made for the report: by the path of the
 * object, then by the name of the field.
 */
const DESCRIPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '.nextSteps': STEP,
  '.causes.steps': STEP,
  '.comparison': { at: 'When that earlier run ended.' },
  '.uncompared': { fix: 'From when on there will be something to compare with.' },
  '.run': {
    commit: 'The commit that was checked. If it is unknown, the commit of the run.',
    ref: 'Empty if it is unknown.',
  },
  '.contents': {
    outcome:
      'judged: all its issues are here. failed: the service could not analyse it. ' +
      'unjudged: its result could not be read.',
  },
  '.contents.issues': {
    id: 'New with every analysis: use ruleCode and sidekickId to follow an issue over versions.',
    standing:
      'active: counts. known: the baseline has it too. ignored: its status is in ignore-statuses. ' +
      'waived: accepted in the waivers file.',
  },
  '.contents.issues.precedents': { url: 'As the service reports it; not checked.' },
};

/** Makes the JSON schema of report.json from the type `Report`. Comments become descriptions. */
export function reportSchema(version: number): object {
  const api = new API({ cwd: ROOT });
  try {
    const config = `${ROOT}tsconfig.build.json`;
    const project = api.updateSnapshot({ openProject: config }).getProject(config);
    const file = project?.program.getSourceFile(`${ROOT}src/report/report.ts`);
    const module = file && project?.checker.getSymbolAtLocation(file);
    const report = module && project?.checker.getMemberInModuleExports(module, 'Report');
    if (!project || !report) throw new Error('src/report/report.ts does not export Report.');
    const { properties, required } = fieldsOf(project.checker.getDeclaredTypeOfSymbol(report), '', project.checker);
    return {
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: `report.json of Media Compliance Gate, version ${version}`,
      description: 'A field that is not known is left out. New fields may be added within a version.',
      ...open({ schemaVersion: { const: version }, ...properties }, ['schemaVersion', ...required]),
    };
  } finally {
    api.close();
  }
}

function schemaOf(type: Type, path: string, checker: Checker): object {
  if (type.flags & TypeFlags.Boolean) return { type: 'boolean' };
  if (type.flags & TypeFlags.String) return { type: 'string' };
  // All numbers of a report count something.
  if (type.flags & TypeFlags.Number) return { type: 'integer' };
  if (type.isLiteralType()) return { const: type.value };
  if (type.isUnionType()) {
    const values = type.getTypes().flatMap((one) => (one.isStringLiteralType() ? one.value : []));
    if (values.length === type.getTypes().length) return { enum: values.toSorted() };
  } else if (checker.isArrayType(type) || checker.isTupleType(type)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- arrays are references to the type of an array
    const [item] = checker.getTypeArguments(type as TypeReference);
    const minItems = checker.isTupleType(type) ? { minItems: 1 } : {};
    if (item) return { type: 'array', ...minItems, items: schemaOf(item, path, checker) };
  } else if (type.isObjectType() || type.isIntersectionType()) {
    const { properties, required } = fieldsOf(type, path, checker);
    return open(properties, required);
  }
  throw new Error(`The schema of report.json cannot have the type ${checker.typeToString(type)}.`);
}

function fieldsOf(object: Type, path: string, checker: Checker) {
  const descriptions = new Map(Object.entries(DESCRIPTIONS[path] ?? {}));
  const fields = checker.getPropertiesOfType(object).map((symbol) => {
    const { name } = symbol;
    const type = checker.getTypeOfSymbol(symbol) ?? checker.getUnknownType();
    const isOptional = checker.isTypeAssignableTo(checker.getUndefinedType(), type);
    const comment = checker.getDocumentationCommentOfSymbol(symbol).replaceAll('\n', ' ');
    // A field that is undefined in the report is left out of its JSON.
    const text = comment.replaceAll('Undefined', 'Left out').replaceAll('undefined', 'left out');
    const description = descriptions.get(name) ?? text;
    descriptions.delete(name);
    const schema = schemaOf(checker.getNonNullableType(type) ?? type, `${path}.${name}`, checker);
    return { name, isOptional, schema: { ...schema, ...(description !== '' && { description }) } };
  });
  if (descriptions.size > 0) throw new Error(`${path} has no field ${[...descriptions.keys()].join()}.`);
  return {
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
  };
}

function open(properties: object, required: readonly string[]): object {
  return { type: 'object', required, additionalProperties: true, properties };
}
