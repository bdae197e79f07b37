import type { Refusal } from './seal.ts';

/** One notice for each way in which a state is not taken, with what to do. `where` fits behind "The state". */
export function refusalNotice(refusal: Refusal, where: string): string {
  switch (refusal) {
    case 'unreadable':
      return `The state ${where} is damaged, too large or of another version of this action. It was ignored, and files are sent again once.`;
    case 'other-key':
      return `The state ${where} was signed with another key, so files are sent again once. If the API key was changed, set \`state-key\` to keep the state over the next change.`;
    case 'forged':
      return `The state ${where} is not ours: its signature is wrong. It was ignored. Find out who wrote it; somebody may have tampered with it.`;
    case 'other-mode':
      return `The state ${where} belongs to the other kind of API key: sandbox and live never share what they know. It was ignored.`;
    case 'other-repository':
      return `The state ${where} is not ours: it belongs to another repository. It was ignored.`;
    case 'other-gate':
      return `The state ${where} belongs to another gate (name, workflow, job, step or matrix leg). It was ignored. Give each gate a state of its own.`;
    case 'other-run':
    case 'other-scope':
    case 'other-kind':
      return `The state ${where} is not ours: it was copied there from another run or branch. It was ignored. Find out who did so.`;
  }
}
