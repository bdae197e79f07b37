/** The runner told us to stop: a cancelled run, or the time limit of the job. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly signalName: string;

  constructor(signalName: string) {
    super(`stopped by ${signalName}`);
    this.signalName = signalName;
  }
}
