import { describe, expect, it } from 'vitest';
import { dividingFolders, foldersWith } from '../../../src/report/page/app/folders.ts';

const films = (folder: string, files: number): readonly string[] =>
  Array.from({ length: files }, (_, index) => `${folder}${index}.mp4`);

describe('the folders of the filter', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['none for files at the top', ['a.mp4', 'b.mp4'], []],
    ['the first level', ['spots/a.mp4', 'print/b.png', 'c.png'], ['print/', 'spots/']],
    [
      'the markets below a folder that all files share',
      [...films('campaign/it/', 3), ...films('campaign/de/', 2)],
      ['campaign/de/', 'campaign/it/'],
    ],
    [
      'the markets beside other folders',
      [...films('campaign/it/', 2), ...films('campaign/de/', 2), 'brand/logo.png'],
      ['brand/', 'campaign/de/', 'campaign/it/'],
    ],
    [
      'no folder for each file',
      [1, 2, 3, 4].flatMap((number) => [`it/${number}/a.mp4`, `de/${number}/a.mp4`]),
      ['de/', 'it/'],
    ],
    [
      'a folder as a whole if it holds files itself',
      ['ads/a.mp4', ...films('ads/it/', 2), ...films('ads/de/', 2)],
      ['ads/', 'ads/de/', 'ads/it/'],
    ],
  ])('%s', (_, paths, expected) => {
    expect(dividingFolders(paths)).toEqual(expected);
  });

  it('stay few', () => {
    const paths = Array.from({ length: 100 }, (_, index) => films(`ads/${index}/`, 3)).flat();
    expect(dividingFolders(paths)).toEqual(['ads/']);
  });

  it('hold a file by each of its paths', () => {
    expect(foldersWith(['ads/', 'ads/it/', 'web/'], ['ads/it/a.png', 'other/a.png'])).toEqual(['ads/', 'ads/it/']);
  });
});
