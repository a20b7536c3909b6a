import { request, Agent, setGlobalDispatcher } from 'undici';
setGlobalDispatcher(new Agent({ connections: 4 }));
const [base, path, n] = process.argv.slice(2);
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
for (let i = 0; i < +n; i++) {
  const t = performance.now();
  const r = await request(base + path, { headers: { cookie: cookies } });
  await r.body.arrayBuffer();
  times.push(performance.now() - t);
}
times.sort((a, b) => a - b);
console.log(path, times[n >> 1].toFixed(2), times[Math.floor(n * 0.95)].toFixed(2));
