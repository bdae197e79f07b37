import { describe, expect } from 'vitest';
import { CRITICAL, it } from '../harness/fixtures.ts';
import { SERVER_KINDS } from '../harness/github-model.ts';
import { images } from '../harness/media.ts';
import { HEAD, pullRequest } from '../harness/payloads.ts';

const BASE = 'b'.repeat(40);

function waiver(path: string): string {
  const approval = 'owner: legal@example.com\n  reason: Agreed with the regulator';
  return `- rule: AD-17\n  path: '${path}'\n  ${approval}\n  expires: 2999-12-31\n`;
}

describe.concurrent.for(SERVER_KINDS)('waivers in a pull request at %s', (kind) => {
  it('of the base count and are listed with their owner; added ones are only proposed', async ({
    gate,
    startGitHub,
  }) => {
    const run = await gate({
      files: { ...images('a', 'b'), '.git/HEAD': HEAD, 'waivers.yml': waiver('a.png') },
      scenario: CRITICAL,
      github: await startGitHub({
        kind,
        pulls: { 2: { headSha: HEAD } },
        contents: { [`${BASE}:waivers.yml`]: waiver('b.png') },
      }),
      inputs: { 'waivers-file': 'waivers.yml' },
      event: pullRequest({ 'pull_request.base.sha': BASE }),
    });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    const failing = run.annotations.filter(({ file, level }) => file !== undefined && level === 'error');
    expect(failing.map(({ file }) => file)).toEqual(['a.png']);
    expect(run.file('report.json')).toMatch(/legal@example\.com.*Agreed with the regulator.*2999-12-31/s);
    expect(run.log).toContain('Waivers proposed here, which count once they are merged (1): AD-17 for a.png');
    expect(run.readableSummary).toContain('A waiver is proposed here (owner legal');
  });
});
