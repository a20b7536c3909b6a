import { request, Agent, setGlobalDispatcher } from 'undici';
const [base, path, n, c] = process.argv.slice(2);
setGlobalDispatcher(new Agent({ connections: +c }));
const login = await request(base + '/api/user/login/', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'demo', password: 'demo' }),
});
await login.body.text();
const cookies = []
  .concat(login.headers['set-cookie'])
  .map((c) => c.split(';')[0])
  .join('; ');
const times = [];
let left = +n;
const t0 = performance.now();
await Promise.all(
  Array.from({ length: +c }, async () => {
    while (left-- > 0) {
      const t = performance.now();
      const r = await request(base + path, { headers: { cookie: cookies } });
      await r.body.arrayBuffer();
      times.push(performance.now() - t);
    }
  }),
);
times.sort((a, b) => a - b);
console.log(
  path,
  'p50',
  times[n >> 1].toFixed(2),
  'p95',
  times[Math.floor(n * 0.95)].toFixed(2),
  ((n / (performance.now() - t0)) * 1000).toFixed(0) + '/s',
);
