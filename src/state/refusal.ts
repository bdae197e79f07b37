import type { Refusal } from './seal.ts';

/** One notice for each way in which a state is not taken, with what to do. */
export function refusalNotice(refusal: Refusal, where: string): string {
  switch (refusal) {
    case 'other-key':
      return `The state ${where} was signed with another key, so files are sent again once. If the API key was changed, set \`state-key\` to keep the state over the next change.`;
    case 'forged':
      return `The state ${where} is not ours: its signature is wrong. It was ignored. Somebody may have tampered with it.`;
    case 'misplaced':
      return `The state ${where} belongs to another repository, gate, run or kind of key. It was ignored. Somebody may have copied it there.`;
    case 'unreadable':
      return `The state ${where} is damaged or of another version of this action. It was ignored, and files are sent again once.`;
  }
}
