import type { Report } from './report.ts';

/** This version is raised when a field is removed or changes its meaning, but not when a field is added. */
const JSON_VERSION = 5;

/**
 * Renders report.json, for programs: the report itself, without undefined fields. Its schema is `report.schema.json`
 * beside this file, and a test compares the two.
 */
export function renderJson(report: Report): string {
  return `${JSON.stringify({ schemaVersion: JSON_VERSION, ...report }, undefined, 1)}\n`;
}
