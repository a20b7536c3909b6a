import { generate } from 'selfsigned';

/** Creates a self-signed certificate for any host name; most clients of the test site do not check it. Takes about 20 ms. */
export async function makeCertificate(): Promise<{ key: string; cert: string }> {
  const created = await generate([{ name: 'commonName', value: 'stand-in.example' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: '*.example' },
          { type: 2, value: '*.youtube.com' },
          { type: 2, value: 'github.com' },
        ],
      },
    ],
  });
  return { key: created.private, cert: created.cert };
}
