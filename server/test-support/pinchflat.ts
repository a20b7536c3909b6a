import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

// The tables of Pinchflat that hold sources and media, with their columns.
const schema = `
create table media_profiles (id integer primary key autoincrement, name text not null, output_path_template text not null,
  download_subs numeric default false, sub_langs text default 'en', sponsorblock_behaviour text default 'disabled', sponsorblock_categories text default '[]',
  shorts_behaviour text default 'include', livestream_behaviour text default 'include', preferred_resolution text default '1080p',
  media_container text, redownload_delay_days integer, inserted_at text not null, updated_at text not null);
create table sources (id integer primary key autoincrement, uuid text, custom_name text, collection_name text not null, collection_id text not null,
  collection_type text not null, original_url text not null, index_frequency_minutes integer default 1440, fast_index numeric default false,
  download_media numeric default true, download_cutoff_date text, retention_period_days integer, title_filter_regex text,
  min_duration_seconds integer, max_duration_seconds integer, cookie_behaviour text default 'disabled', output_path_template_override text,
  media_profile_id integer references media_profiles(id), marked_for_deletion_at text, inserted_at text not null, updated_at text not null);
create table media_items (id integer primary key autoincrement, uuid text, source_id integer references sources(id), media_id text not null,
  title text not null, description text, original_url text, uploaded_at text, media_downloaded_at text, media_filepath text, thumbnail_filepath text,
  metadata_filepath text, nfo_filepath text, subtitle_filepaths text default '[]', media_size_bytes integer, duration_seconds integer,
  short_form_content numeric default false, livestream numeric default false, prevent_download numeric default false,
  prevent_culling numeric default false, culled_at text, last_error text, inserted_at text not null, updated_at text not null);
create unique index media_items_source on media_items (source_id, media_id);
create table media_metadata (id integer primary key autoincrement, media_item_id integer, metadata_filepath text, thumbnail_filepath text);
create table settings (id integer primary key, onboarding numeric, yt_dlp_version text);
create virtual table media_items_search_index using fts5(title, description, tokenize='trigram');`;

const times = { inserted_at: '2024-01-01T00:00:00', updated_at: '2024-01-01T00:00:00' };

function insert(database: DatabaseSync, table: string, row: Record<string, string | number | null>) {
  const names = Object.keys(row);
  database
    .prepare(`insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`)
    .run(...Object.values(row));
}

export interface PinchflatData {
  profiles?: Record<string, string | number | null>[];
  sources?: Record<string, string | number | null>[];
  items?: Iterable<Record<string, string | number | null>>;
  /** SQL at the end. */
  more?: string;
}

/** Writes a Pinchflat database. Its newest rows are only in the write-ahead log, as after a copy of a running one. */
export function writePinchflat(path: string, { profiles = [], sources = [], items = [], more }: PinchflatData): void {
  const folder = mkdtempSync(join(tmpdir(), 'reelkeep-test-'));
  const database = new DatabaseSync(join(folder, 'live.db'));
  try {
    database.exec(`pragma journal_mode = wal; pragma wal_autocheckpoint = 0; ${schema}`);
    database.exec('pragma wal_checkpoint(truncate); begin');
    for (const profile of profiles)
      insert(database, 'media_profiles', { name: 'P', output_path_template: '/x', ...times, ...profile });
    for (const source of sources)
      insert(database, 'sources', {
        collection_name: 'Source',
        collection_type: 'channel',
        original_url: 'https://www.youtube.com/@source',
        media_profile_id: profiles.length > 0 ? 1 : null,
        ...times,
        ...source,
      });
    for (const item of items) insert(database, 'media_items', { title: 'Item', source_id: 1, ...times, ...item });
    database.exec(`commit; ${more ?? ''}`);
    mkdirSync(dirname(path), { recursive: true });
    for (const part of ['', '-wal', '-shm'])
      if (existsSync(join(folder, `live.db${part}`))) copyFileSync(join(folder, `live.db${part}`), path + part);
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}
