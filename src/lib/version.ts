import manifest from '../../package.json' with { type: 'json' };

/** The version in package.json when this action was built. */
export const VERSION: string = manifest.version;
