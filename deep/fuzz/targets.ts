import { ANSWERS } from './answers.ts';
import { INPUTS } from './inputs.ts';
import { NAMES } from './names.ts';
import { STATE } from './state.ts';
import type { Target } from './target.ts';
import { WAIVERS } from './waivers.ts';

export const TARGETS: readonly Target[] = [INPUTS, NAMES, ANSWERS, STATE, WAIVERS];
