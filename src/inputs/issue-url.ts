/** What the input `issue-url` may hold in braces. */
export const ISSUE_URL_PLACEHOLDERS = ['referenceNumber', 'issueId', 'assetId', 'submissionId'] as const;

type Values = Readonly<Record<(typeof ISSUE_URL_PLACEHOLDERS)[number], string>>;

/** Fills the template. Values come from outside, so each is encoded and cannot leave its place in the address. */
export function issueUrl(template: string, values: Values): string {
  return ISSUE_URL_PLACEHOLDERS.reduce(
    (url, name) => url.replaceAll(`{${name}}`, () => encodeURIComponent(values[name].toWellFormed())),
    template,
  );
}
