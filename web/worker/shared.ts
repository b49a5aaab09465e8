/** Where other apps send what is shared with this one, as the manifest says. */
export const SHARE = "/share";

/** The cache in which that waits until the page takes it. */
export const SHARED = "coffre-shared";
