/** The runner stopped the job: it was cancelled, or reached its time limit. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly signalName: string;

  constructor(signalName: string) {
    super(`stopped by ${signalName}`);
    this.signalName = signalName;
  }
}
