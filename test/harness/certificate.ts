import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

interface Authority {
  readonly name: string;
  readonly key: KeyObject;
}

/** A private authority, and a certificate from it for this machine. No client trusts them by default. */
export function makeAuthority(): { readonly caPem: string; issueFor: (...hosts: readonly string[]) => Certificate } {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const authority: Authority = { name: 'Gate test authority', key: keys.privateKey };
  const caPem = certify(authority.name, keys.publicKey, authority, [BASIC_CONSTRAINTS_CA]);
  return {
    caPem,
    issueFor: (...hosts) => {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      return {
        cert: certify(hosts[0] ?? 'localhost', own.publicKey, authority, [alternativeNames(hosts)]),
        key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}

/** An X.509 version 3 certificate (RFC 5280) with as little in it as Node asks for. */
function certify(subject: string, key: KeyObject, issuer: Authority, extensions: readonly Buffer[]): string {
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    name(issuer.name),
    sequence(time('20200101000000Z'), time('21200101000000Z')),
    name(subject),
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', body, issuer.key);
  const whole = sequence(body, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** Tag, length, value: the whole of DER. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  if (value.length < 0x80) return Buffer.concat([Buffer.from([tag, value.length]), value]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(value.length);
  return Buffer.concat([Buffer.from([tag, 0x82]), length, value]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes);
}

function time(text: string): Buffer {
  return der(0x18, Buffer.from(text));
}

function identifier(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function name(common: string): Buffer {
  return sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from(common)))));
}

const ECDSA_WITH_SHA256 = sequence(identifier('2a8648ce3d040302'));
const BASIC_CONSTRAINTS_CA = sequence(
  identifier('551d13'),
  der(0x01, Buffer.from([0xff])),
  der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
);

function alternativeNames(hosts: readonly string[]): Buffer {
  return sequence(identifier('551d11'), der(0x04, sequence(...hosts.map((host) => der(0x82, Buffer.from(host))))));
}
