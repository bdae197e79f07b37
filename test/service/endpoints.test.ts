import { describe, expect, it } from 'vitest';
import { ENDPOINTS, type Endpoint } from '../../src/service/endpoints.ts';

const ALL = Object.entries<Endpoint>(ENDPOINTS);

function those(isWanted: (endpoint: Endpoint) => boolean): readonly string[] {
  return ALL.filter(([, endpoint]) => isWanted(endpoint)).map(([name]) => name);
}

describe('the requests of each bucket are those of the contract', () => {
  it.each([
    ['upload', ['uploadUrl', 'uploadDirect']],
    ['submission_write', ['create', 'retryAsset']],
    ['submission_read', ['readSubmission', 'readAsset', 'readIssues', 'readTopics', 'readVersions']],
    ['sandbox', ['fire']],
  ])('%s', (name, expected) => {
    expect(those(({ bucket }) => bucket === name)).toEqual(expected);
  });
});

describe('the exceptions among the requests', () => {
  it('a creation has two minutes for its response', () => {
    expect(those(({ timeouts }) => timeouts.responseMs >= 120_000)).toEqual(['create']);
  });

  it('only of a file is the time in which its bytes move not counted', () => {
    expect(those(({ retry }) => retry.maxCountedMs < retry.giveUpMs)).toEqual(['uploadDirect']);
  });

  it('the deadline does not cut what comes before it', () => {
    expect(those(({ retry }) => !retry.isCutByDeadline)).toEqual(['uploadUrl', 'uploadDirect', 'create']);
  });

  it('what costs money or notifies others is not sent twice', () => {
    expect(those(({ retry }) => retry.connection === 'unsent')).toEqual(['create', 'fire']);
  });
});
