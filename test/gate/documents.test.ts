import { describe, expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import type { Files } from '../harness/workspace.ts';
import { CFB, contentTypes, pointerTo, zip } from '../media/bytes.ts';

const WORD = contentTypes('application/vnd.openxmlformats-officedocument.wordprocessingml.document');
/** Word opens it as its own document, and PDF readers find their header in the first 1,024 bytes. */
const WORD_AND_PDF = zip({ '%PDF-1.7': 'x', '[Content_Types].xml': WORD });

describe.concurrent('a document that readers take for different things', () => {
  it.for<[string, Files, string]>([
    ['a Word file with the header of a PDF, named .pdf', { 'flyer.pdf': WORD_AND_PDF }, 'flyer.pdf'],
    ['the same named .docx', { 'flyer.docx': WORD_AND_PDF }, 'flyer.docx'],
    ['a Word file named .doc', { 'flyer.doc': zip({ '[Content_Types].xml': WORD }) }, 'flyer.doc'],
    ['the same bytes as .doc and .xls', { 'a.doc': CFB, 'b.xls': CFB }, 'b.xls'],
    ['a .doc, and a Git LFS pointer to it named .xls', { 'a.doc': CFB, 'b.xls': pointerTo(CFB) }, 'b.xls'],
  ])('is an error before anything is sent: %s', async ([, files, named], { gate }) => {
    const run = await gate({ files });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'error', reason: 'pre-flight' });
    expect(run.annotations).toContainEqual(expect.objectContaining({ level: 'error', file: named }));
    expect(run.requests).toEqual([]);
  });

  it('is analysed again under another extension', async ({ startSeries }) => {
    const series = await startSeries({ 'prices.doc': CFB });
    expect((await series.run()).sent).toEqual(['prices.doc']);
    await series.write({ 'prices.doc': undefined, 'moved/prices.doc': CFB });
    expect((await series.run()).outputs).toMatchObject({ verdict: 'pass', 'files-reused': '1' });
    await series.write({ 'moved/prices.doc': undefined, 'prices.xls': CFB });
    const renamed = await series.run();
    expect(renamed.sent, renamed.log).toEqual(['prices.xls']);
    expect(renamed.summary).toContain('media type changed');
  });
});
