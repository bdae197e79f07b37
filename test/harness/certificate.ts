import { execFileSync } from 'node:child_process';

const HOSTS = ['localhost', 'service.invalid', 'storage.invalid'];

/** A key and its self-signed certificate for localhost, service.invalid and storage.invalid. */
export function makeCertificate(): string {
  const hosts = HOSTS.map((host) => `DNS:${host}`).join(',');
  const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '-', '-out', '-'];
  return execFileSync('openssl', ['req', ...made, '-subj', '/CN=localhost', '-addext', `subjectAltName=${hosts}`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
