const json = /^application\/json *(?:;|$)/i;

/** Whether a Content-Type is JSON; what a form of a web page can send without being asked is not. */
export function isJsonType(contentType: string | undefined): boolean {
  return json.test(contentType ?? '');
}

/** Whether an Accept header includes a type. */
export function accepts(accept: string, type: string): boolean {
  return accept.includes(type) || accept.includes('*/*');
}
