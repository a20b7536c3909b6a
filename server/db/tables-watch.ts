// What people see of a video beside the video itself; rows look as tables.ts says.

/** The previews of a video along its length. */
export interface StoryboardTable {
  videoId: string;
  /** How many sheets of pictures there are; none when the file gives no pictures, so that it is not tried again. */
  sheets: number;
  /** SHA-256 of the file that they show: another file is tried anew. */
  madeOf: string;
}

/** Videos whose file, as it is now, has not been looked at for previews yet; kept by triggers. */
export interface StoryboardWantedTable {
  videoId: string;
}
