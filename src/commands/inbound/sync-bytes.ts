/** As the reader of XML: a fiscal document is far smaller. */
export const XML_LIMIT = 16 * 1024 * 1024;
