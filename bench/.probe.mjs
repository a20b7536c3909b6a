import { request } from 'undici';
import { Agent, setGlobalDispatcher } from 'undici';
setGlobalDispatcher(new Agent({ connections: 4 }));
const base = process.argv[2];
const login = await request(base + '/api/user/login/', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: process.argv[3] ?? 'demo', password: 'demo' }),
});
await login.body.text();
const cookies = [].concat(login.headers['set-cookie']).map((c) => c.split(';')[0]);
const csrf = cookies.find((c) => c.startsWith('csrftoken=')).slice(10);
const paths = `video/
video/?page=800
video/?page=4000
video/?page=8300
video/?sort=views
video/?sort=views&page=4000
video/?sort=duration&type=shorts&page=300
video/?watch=unwatched
video/?watch=unwatched&page=2000
video/?watch=unwatched&page=4000
video/?watch=watched
video/?watch=watched&page=2000
video/?watch=continue
video/?height=720
video/?height=720&page=500
video/?height=2160&sort=likes&watch=unwatched
video/?channel=UCbench00000000000000000
video/?channel=UCbench00000000000000000&sort=views&page=50
video/?playlist=PLbench000000000000000000000000000
video/?playlist=PLbench000000000000000000000000000&page=200
video/bench000500/
video/bench000500/nav/
video/bench000500/comment/
video/bench000500/similar/
channel/
channel/?page=60
channel/UCbench00000000000000000/
channel/UCbench00000000000000000/aggs/
channel/UCbench00000000000000000/nav/
playlist/
playlist/?page=20
playlist/PLbench000000000000000000000000000/
playlist/PLbench000000000000000000000000001/
download/
download/?filter=pending&page=2000
download/?filter=ignore
download/?error=true
download/?channel=UCbench00000000000000000
download/?q=kalo
download/aggs/?filter=pending
stats/video/
stats/channel/
stats/playlist/
stats/download/
stats/watch/
stats/downloadhist/
stats/biggestchannels/
user/me/
ping/
notification/`.split('\n');
for (const p of paths) {
  const times = [];
  let size = 0,
    status;
  for (let i = 0; i < 40; i++) {
    const t = performance.now();
    const r = await request(base + '/api/' + p, { headers: { cookie: cookies.join('; ') } });
    const b = await r.body.arrayBuffer();
    status = r.statusCode;
    size = b.byteLength;
    if (i >= 5) times.push(performance.now() - t);
  }
  times.sort((a, b) => a - b);
  console.log(p.padEnd(70), status, String(size).padStart(8), times[17].toFixed(2).padStart(8), times[33].toFixed(2).padStart(8));
}
const post = async (i) => {
  const t = performance.now();
  const r = await request(base + `/api/video/bench${String(i).padStart(6, '0')}/progress/`, {
    method: 'POST',
    headers: { cookie: cookies.join('; '), 'x-csrftoken': csrf, 'content-type': 'application/json' },
    body: JSON.stringify({ position: 7 + (i % 3) }),
  });
  await r.body.text();
  return performance.now() - t;
};
const times = [];
for (let i = 0; i < 100; i++) times.push(await post(i));
times.sort((a, b) => a - b);
console.log('progress', times[50].toFixed(2), times[95].toFixed(2));
