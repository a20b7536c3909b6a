// Who may use which route: written down by hand, against every route of the running app. A route that is missing here fails,
// and so does a line without a route.
const table = `
open  GET    /api/health/
user  GET    /api/ping/
open  POST   /api/user/login/
user  POST   /api/user/logout/
user  POST   /api/user/password/
user  GET    /api/user/account/
user  GET    /api/user/me/
user  POST   /api/user/me/
user  GET    /api/video/
user  GET    /api/video/:id/
staff POST   /api/video/:id/keep/
staff DELETE /api/video/:id/
user  POST   /api/video/:id/progress/
user  DELETE /api/video/:id/progress/
user  GET    /api/video/:id/link/
user  GET    /api/video/:id/similar/
user  GET    /api/video/:id/comment/
user  GET    /api/video/:id/nav/
user  POST   /api/watched/
user  GET    /api/channel/
staff POST   /api/channel/
user  GET    /api/channel/search/
user  GET    /api/channel/:id/
staff POST   /api/channel/:id/
staff DELETE /api/channel/:id/
user  GET    /api/channel/:id/aggs/
user  GET    /api/channel/:id/nav/
user  GET    /api/playlist/
staff POST   /api/playlist/
user  POST   /api/playlist/custom/
user  POST   /api/playlist/custom/:id/
user  GET    /api/playlist/:id/
staff POST   /api/playlist/:id/
staff DELETE /api/playlist/:id/
staff GET    /api/download/
staff POST   /api/download/
staff PATCH  /api/download/
staff DELETE /api/download/
staff GET    /api/download/aggs/
staff GET    /api/download/pauses/
staff DELETE /api/download/pauses/:site/
staff GET    /api/download/:id/
staff POST   /api/download/:id/
staff DELETE /api/download/:id/
user  GET    /api/notification/
staff GET    /api/task/by-name/
staff GET    /api/task/by-name/:name/
staff POST   /api/task/by-name/:name/
staff GET    /api/task/by-id/:id/
staff POST   /api/task/by-id/:id/
staff GET    /api/task/schedule/
staff GET    /api/task/schedule/:name/
staff POST   /api/task/schedule/:name/
staff DELETE /api/task/schedule/:name/
staff GET    /api/channel/:id/rules/
staff PUT    /api/channel/:id/rules/
staff POST   /api/channel/:id/rules/preview/
staff GET    /api/playlist/:id/rules/
staff PUT    /api/playlist/:id/rules/
staff POST   /api/playlist/:id/rules/preview/
staff GET    /api/video/leaving/
staff GET    /api/refresh/
staff POST   /api/refresh/
staff POST   /api/refresh/undo/
user  GET    /api/video/:id/history/
staff POST   /api/appsettings/rescan-filesystem/
staff POST   /api/appsettings/manual-import/
staff GET    /api/task/notification/
staff POST   /api/task/notification/
staff DELETE /api/task/notification/
staff POST   /api/task/notification/test/
user  GET    /api/appsettings/config/
staff POST   /api/appsettings/config/
user  GET    /api/appsettings/token/
user  DELETE /api/appsettings/token/
staff GET    /api/appsettings/cookie/
staff POST   /api/appsettings/cookie/
staff PUT    /api/appsettings/cookie/
staff DELETE /api/appsettings/cookie/
staff GET    /api/appsettings/potoken/
staff POST   /api/appsettings/potoken/
staff DELETE /api/appsettings/potoken/
staff GET    /api/doctor/
staff GET    /api/ytdlp/
staff POST   /api/ytdlp/update/
staff POST   /api/ytdlp/rollback/
user  GET    /api/events/
user  GET    /youtube/*
user  GET    /media/*
user  GET    /cache/videos/:first/:name
user  GET    /cache/channels/:name
user  GET    /cache/playlists/:name
user  GET    /cache/earlier/:name
user  GET    /api/schema/
user  GET    /api/docs/
user  GET    /api/docs/start.js
user  GET    /api/docs/swagger-ui-bundle.js
user  GET    /api/docs/swagger-ui.css
staff GET    /metrics
open  GET    /assets/*
open  GET    /favicon.svg
open  GET    /manifest.webmanifest
open  GET    /icon-192.png
open  GET    /icon-512.png
open  GET    /icon-maskable-512.png
`;

/** The lines of the table. */
export const lines = table
  .trim()
  .split('\n')
  .map((line) => line.split(/\s+/) as [who: 'open' | 'user' | 'staff', method: Method, url: string]);
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
