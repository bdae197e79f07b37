import type { Lie } from './lie.ts';
import { LIES_ABOUT_ASSETS } from './lies-about-assets.ts';
import { LIES_ABOUT_ISSUES } from './lies-about-issues.ts';

export const LIES: readonly Lie[] = [...LIES_ABOUT_ASSETS, ...LIES_ABOUT_ISSUES];
