/**
 * One file over a link of 20 Mbit/s: two network namespaces, a queue between them. Needs Linux and root, and is left out
 * without them.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { alternate, makeFolder, makeVideo, measureGate, type Row, startSink, timed } from './stage.ts';
import { uploadSeconds } from './uploads.ts';

const BYTES = 20_000_000;
const MBIT = 20;
const HOSTS = { ours: '10.231.77.1', far: '10.231.77.2' };

export async function thinLink(rounds: number): Promise<readonly Row[]> {
  const space = `gate-bench-${process.pid}`;
  try {
    layLink(space);
  } catch {
    return [];
  }
  try {
    await using folder = await makeFolder();
    const file = path.join(folder.path, 'video.mp4');
    await makeVideo(file, BYTES);
    await using sink = await startSink(0, HOSTS.far, ['ip', 'netns', 'exec', space]);
    // Plain http is only spoken with a service on this machine, whose storage may be anywhere.
    await using service = await startSink(0, '127.0.0.1', [], sink.url);
    const [own = Number.NaN, other = Number.NaN] = await alternate(
      rounds,
      async () => {
        await measureGate(folder.path, service.url);
        return await uploadSeconds(sink);
      },
      async () => {
        await timed('curl', ['-s', '-T', file, '-H', 'Expect:', `${sink.url}/storage/x`]);
        return await uploadSeconds(sink);
      },
    );
    const ratio = other / own;
    return [
      {
        what: `${BYTES / 1e6} MB over a link of ${MBIT} Mbit/s`,
        ours: `${own.toFixed(2)} s`,
        beside: '`curl -T`',
        theirs: `${other.toFixed(2)} s`,
        ratio: `${ratio.toFixed(2)} × its rate`,
        goal: '≥ 0.95 ×',
        isMet: ratio >= 0.95,
      },
    ];
  } finally {
    execFileSync('ip', ['netns', 'del', space]);
  }
}

function layLink(space: string): void {
  const near = `gb${process.pid}`.slice(0, 15);
  const commands = [
    `ip netns add ${space}`,
    `ip link add ${near} type veth peer name far netns ${space}`,
    `ip addr add ${HOSTS.ours}/30 dev ${near}`,
    `ip link set ${near} up`,
    `ip -n ${space} addr add ${HOSTS.far}/30 dev far`,
    `ip -n ${space} link set far up`,
    `ip -n ${space} link set lo up`,
    `tc qdisc add dev ${near} root tbf rate ${MBIT}mbit burst 32kb latency 100ms`,
  ];
  for (const command of commands) {
    const [name = '', ...args] = command.split(' ');
    execFileSync(name, args, { stdio: 'ignore' });
  }
}
