import manifest from '../../package.json' with { type: 'json' };

/** The version of this action, as in package.json when it was built. */
export const VERSION: string = manifest.version;
