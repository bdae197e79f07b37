/** What is counted of one file, in the form that coverage tools share. */
export interface CountedFile {
  /** Below the root of the project. */
  readonly path: string;
  readonly branches: readonly Branch[];
}

/** One way that the code can take. */
export interface Branch {
  readonly line: number;
  /** if, else, ?:, && || ??, switch, default */
  readonly kind: string;
  readonly isTaken: boolean;
}

/** As in an Istanbul coverage map. */
export interface IstanbulFile {
  readonly path: string;
  readonly branchMap: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly loc: { readonly start: { readonly line: number } };
        /** Without a line where the code is not written, as an `else` that is not there. */
        readonly locations: readonly { readonly start: { readonly line?: number | undefined } }[];
      }
    >
  >;
  readonly b: Readonly<Record<string, readonly number[]>>;
}

const KINDS: Readonly<Record<string, readonly string[]>> = {
  if: ['if', 'else'],
  'cond-expr': ['? …', ': …'],
  'binary-expr': ['&& || ??'],
  'default-arg': ['= …'],
  switch: ['case'],
};

export function countBranches({ path, branchMap, b }: IstanbulFile, root: string): CountedFile {
  const branches = Object.entries(branchMap).flatMap(([id, { type, loc, locations }]) =>
    locations.map((location, index) => ({
      line: location.start.line ?? loc.start.line,
      kind: KINDS[type]?.[index] ?? KINDS[type]?.[0] ?? type,
      isTaken: (b[id]?.[index] ?? 0) > 0,
    })),
  );
  return { path: path.slice(root.length + 1).replaceAll('\\', '/'), branches };
}

/** How much of a folder was taken. */
export interface FolderCount {
  readonly name: string;
  readonly taken: number;
  readonly all: number;
}

/** By folder, and all together at the end. */
export function countFolders(files: readonly CountedFile[]): readonly FolderCount[] {
  const folders = [...Map.groupBy(files, ({ path }) => path.slice(0, path.lastIndexOf('/') + 1))];
  return folders
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, members]) => countFolder(folder, members))
    .concat(countFolder('all', files));
}

function countFolder(name: string, files: readonly CountedFile[]): FolderCount {
  const branches = files.flatMap((file) => file.branches);
  return { name, taken: branches.filter(({ isTaken }) => isTaken).length, all: branches.length };
}

/** Cut, not rounded: 99.96 % is not all. */
export function share(taken: number, all: number): string {
  const percent = all === 0 ? 100 : Math.floor((1_000 * taken) / all) / 10;
  return `${percent.toFixed(1)} %`;
}

/** One line for each folder, and one for all. */
export function tableOf(files: readonly CountedFile[]): string {
  const rows = countFolders(files);
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows
    .map(
      ({ name, taken, all }) =>
        `${name.padEnd(width)} ${`${taken} of ${all}`.padStart(13)} ${share(taken, all).padStart(8)}`,
    )
    .join('\n');
}

/** Branches that no test has taken, as `path:line kind`. */
export function notTaken(files: readonly CountedFile[]): readonly string[] {
  return files
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap(({ path, branches }) =>
      branches
        .filter(({ isTaken }) => !isTaken)
        .toSorted((a, b) => a.line - b.line)
        .map(({ line, kind }) => `${path}:${line} ${kind}`),
    );
}
