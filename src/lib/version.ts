/** The version in package.json; a test keeps them the same. */
export const VERSION = '0.1.0';
