/**
 * A package of this folder's own package.json. Its types are unknown if it is not installed, and that must not keep
 * the rest of the project from being checked.
 */
export async function installed<T>(name: string): Promise<T> {
  return await import(name);
}
