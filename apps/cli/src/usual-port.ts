/** The port of the workbench, when it is free, so that a page that is still open finds it again. */
export const usualPort = 4747;
