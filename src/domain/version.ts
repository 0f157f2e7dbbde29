/** A test compares it with package.json, so that no file is read at run time. */
export const version = '0.1.0';

/** Who asks: every request of this program over HTTP names it. */
export const userAgent = 'fiscal-cli';
