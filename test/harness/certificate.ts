import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const HOSTS = ['localhost', 'service.invalid', 'storage.invalid'];

/** A key and its self-signed certificate for localhost, service.invalid and storage.invalid. */
export function makeCertificate(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'gate-certificate-'));
  const file = path.join(folder, 'both.pem');
  const into = ['-newkey', 'rsa:2048', '-nodes', '-keyout', file, '-out', file];
  const names = HOSTS.map((host) => `DNS:${host}`).join(',');
  const about = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names}`];
  execFileSync('openssl', ['req', '-x509', ...into, ...about], { stdio: 'pipe' });
  const made = readFileSync(file, 'utf8');
  rmSync(folder, { recursive: true });
  return made;
}
