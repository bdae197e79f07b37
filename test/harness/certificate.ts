import { generate } from 'selfsigned';

const COMPANY = ['service', 'storage', 'github', 'results', 'blobs'].map((name) => `${name}.test`);
const HOSTS = ['localhost', 'service.invalid', 'storage.invalid', ...COMPANY];

/** A private key and its self-signed certificate, as PEM. */
export async function makeCertificate(): Promise<string> {
  const altNames = HOSTS.map((value) => ({ type: 2 as const, value }));
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  return key + cert;
}
