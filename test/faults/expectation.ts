import type { Endpoint } from '../../emulator/http.ts';
import type { Fault, FaultCase, Symptom } from './fault-cases.ts';

/** The expected result of a case. */
export interface Expectation {
  readonly verdict: 'pass' | 'fail' | 'error';
  readonly reason: string;
  /** Requests to create a submission that reach the service. */
  readonly creations: 0 | 1 | 2 | 'several';
}

/**
 * The documented rules, for one endpoint class at a time. In every case but the sandbox's there is a CRITICAL issue: a run
 * that sees it says `fail`, and no fault may turn that into a `pass`.
 */
export function expectationOf({ endpoint, fault, lasting }: FaultCase): Expectation {
  // What is no list of issues is read again for a while.
  if (endpoint === 'assets/issues' && lasting === 'once') return undisturbed(endpoint, fault.symptom);
  const symptom = endpoint === 'storage/put' ? fromStorage(fault) : fault.symptom;
  const isOver = symptom.is === 'slow' || (lasting === 'once' && isWorthAnotherTry(endpoint, symptom));
  if (isOver) return undisturbed(endpoint, symptom);

  switch (endpoint) {
    // Optional details and sandbox events never change a verdict.
    case 'assets/topics':
    case 'submissions/versions':
    case 'sandbox/fire':
      return undisturbed(endpoint, symptom);
    case 'assets/retry':
      return { ...afterRetry(symptom, fault.isDone), creations: 1 };
    case 'submissions/create':
      return { verdict: 'error', reason: reasonAtCreation(symptom), creations: creationsOf(fault) };
    case 'storage/put':
      return atStorage(symptom, fault.isDone);
    case 'uploads/direct':
      // Its size limit may be lower than documented; the presigned upload has none.
      if (isStatus(symptom, 413)) return undisturbed(endpoint, symptom);
      return { verdict: 'error', reason: reasonAtFirst(fault), creations: 0 };
    case 'uploads/url':
      return { verdict: 'error', reason: reasonAtFirst(fault), creations: 0 };
    case 'submissions/read':
      // The issues can still be read, so the CRITICAL one is found, unless the run ends or nothing else can be read.
      if (!endsReading(symptom) && !fault.name.endsWith('999999999')) return undisturbed(endpoint, symptom);
      return { verdict: 'error', reason: reasonOf(symptom, 'results'), creations: 1 };
    case 'assets/read': {
      // Without the asset's own response nothing proves which file it is.
      const reason = reasonOf(symptom, 'results');
      const isRefusal = reason === 'refused' || reason === 'bad-input';
      return { verdict: 'error', reason: isRefusal ? 'results' : reason, creations: 1 };
    }
    case 'assets/issues':
      return { verdict: 'error', reason: reasonOf(symptom, 'results'), creations: 1 };
  }
}

/** The same result as without the fault, except for repeated requests. */
function undisturbed(endpoint: Endpoint, symptom: Symptom): Expectation {
  const creations = endpoint === 'submissions/create' && symptom.is === 'status' ? 2 : 1;
  return endpoint === 'sandbox/fire'
    ? { verdict: 'pass', reason: '', creations }
    : { verdict: 'fail', reason: 'issues', creations };
}

/** 429, 5xx, no response, or something else in its place. Creating is repeated only if it cannot have arrived. */
function isWorthAnotherTry(endpoint: Endpoint, symptom: Symptom): boolean {
  const isCreation = endpoint === 'submissions/create';
  switch (symptom.is) {
    case 'status':
      return isCreation ? [429, 500, 502].includes(symptom.status) : symptom.status === 429 || symptom.status >= 500;
    case 'no answer':
      return !isCreation || symptom.unsent;
    case 'nonsense':
      // The contract does not show the shape of a list of issues, so any JSON is accepted.
      if (endpoint === 'assets/issues' && symptom.isJson) return false;
      return !isCreation && endpoint !== 'storage/put';
    case 'slow':
      return false;
  }
}

/** @param missing what 404 means here */
function reasonOf(symptom: Symptom, missing: string): string {
  switch (symptom.is) {
    case 'no answer':
      return 'service';
    case 'nonsense':
      return 'results';
    case 'slow':
      return '';
    case 'status':
      return reasonOfStatus(symptom.status, missing);
  }
}

function reasonOfStatus(status: number, missing: string): string {
  if (status === 401) return 'auth';
  if (status === 402) return 'plan';
  if (status === 404) return missing;
  if (status === 429 || status >= 500) return 'service';
  // A redirect means that the address in `base-url` is not the service's own.
  return status < 400 ? 'bad-input' : 'refused';
}

/** A host that is unknown from the first request on is a mistake in `base-url`; later it is an outage. */
function reasonAtFirst({ symptom, name }: Fault): string {
  return name === 'unknown host' ? 'bad-input' : reasonOf(symptom, 'bad-input');
}

function reasonAtCreation(symptom: Symptom): string {
  // The contract has one use for it: a sandbox input with a live key.
  if (isStatus(symptom, 400)) return 'bad-input';
  return reasonOf(symptom, 'refused');
}

/** Once, if it may have arrived. */
function creationsOf({ symptom, name }: Fault): Expectation['creations'] {
  if (symptom.is === 'no answer') return symptom.unsent ? 0 : 1;
  if (symptom.is !== 'status') return 1;
  // The metadata may be the cause, so it is tried once more without.
  if (symptom.status === 422) return 2;
  // Longer than the time that is left, so it is not waited for.
  if (name.endsWith('999999999')) return 1;
  return [429, 500, 502].includes(symptom.status) ? 'several' : 1;
}

/** Its response has no body that could be cut off. */
function fromStorage({ symptom, strike }: Fault): Symptom {
  return strike?.truncate === undefined ? symptom : { is: 'slow' };
}

/** Storage is not the service: its statuses are about the file or the storage, and any 2xx is a success. */
function atStorage(symptom: Symptom, isDone: boolean): Expectation {
  switch (symptom.is) {
    case 'no answer':
      return { verdict: 'error', reason: 'service', creations: 0 };
    case 'nonsense':
      // The service notices that the bytes are missing.
      return isDone
        ? { verdict: 'fail', reason: 'issues', creations: 1 }
        : { verdict: 'error', reason: 'refused', creations: 1 };
    case 'slow':
      return { verdict: 'fail', reason: 'issues', creations: 1 };
    case 'status': {
      const isOutage = symptom.status === 429 || symptom.status >= 500;
      return { verdict: 'error', reason: isOutage ? 'service' : 'refused', creations: 0 };
    }
  }
}

/** An asset whose retry does not happen stays failed. Only a refused key or plan ends the run. */
function afterRetry(symptom: Symptom, isDone: boolean): Pick<Expectation, 'verdict' | 'reason'> {
  if (isStatus(symptom, 401)) return { verdict: 'error', reason: 'auth' };
  if (isStatus(symptom, 402)) return { verdict: 'error', reason: 'plan' };
  // It was accepted: the issues of the new analysis are read, at the latest before the run ends.
  if (isDone && symptom.is !== 'status') return { verdict: 'fail', reason: 'issues' };
  // Without a connection the asset cannot be read either: only its list entry says that it failed.
  const hasNoConnection = symptom.is === 'no answer' && symptom.unsent;
  return { verdict: 'error', reason: hasNoConnection ? 'results' : 'asset-failed' };
}

/** A refused key or plan ends the run; without a connection nothing else can be read either. */
function endsReading(symptom: Symptom): boolean {
  const hasNoConnection = symptom.is === 'no answer' && symptom.unsent;
  return hasNoConnection || isStatus(symptom, 401) || isStatus(symptom, 402);
}

function isStatus(symptom: Symptom, status: number): boolean {
  return symptom.is === 'status' && symptom.status === status;
}
