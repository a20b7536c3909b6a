import { generate } from 'selfsigned';

/** A certificate nobody should trust, for whatever name is asked: clients of the stand-in do not check names. Takes about 20 ms. */
export async function makeCertificate(): Promise<{ key: string; cert: string }> {
  const made = await generate([{ name: 'commonName', value: 'stand-in.example' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: '*.example' },
          { type: 2, value: '*.youtube.com' },
        ],
      },
    ],
  });
  return { key: made.private, cert: made.cert };
}
