// Marks of images on their way: what stands in a text until an image ends, and what is stored of it.

import { expect, test } from 'vitest';
import {
  beginImage,
  countRefused,
  countUploading,
  endImage,
  hasLostImage,
  isUploading,
  onImages,
  withImages,
} from '../../../src/explorer/writing/image-marks.ts';

test('a text keeps the marks of images on their way, and has the images of all others', () => {
  const [one, two, three] = [beginImage(), beginImage(), beginImage()];
  const text = `a ${one} b ${two} c ${three} d`;
  expect(new Set([one, two, three]).size).toBe(3);
  expect(countUploading(text)).toBe(3);
  expect(withImages(text)).toBe(text);
  const heard: (readonly string[])[] = [];
  const stop = onImages((mark, image) => heard.push([mark, image]));
  const before = countRefused();
  endImage(two, '![two](/2)');
  endImage(three, '');
  stop();
  expect(heard).toEqual([
    [two, '![two](/2)'],
    [three, ''],
  ]);
  expect(countRefused()).toBe(before + 1);
  expect(countUploading(text)).toBe(1);
  expect(countUploading('without')).toBe(0);
  expect(isUploading()).toBe(true);
  // "Undo" brings a mark back as often as one likes.
  expect(withImages(`${text}${two}`)).toBe(`a ${one} b ![two](/2) c  d![two](/2)`);
  endImage(one, '![one](/1)');
  expect(heard).toHaveLength(2);
  expect(isUploading()).toBe(false);
  expect(withImages(text)).toBe('a ![one](/1) b ![two](/2) c  d');
  expect(hasLostImage(text)).toBe(false);
});

test('a mark of a page that was left is taken out, and an image of a person is none', () => {
  const lost = '![Uploading image 4711 …]()';
  expect(hasLostImage(`a${lost}b`)).toBe(true);
  expect(countUploading(lost)).toBe(0);
  expect(withImages(`a${lost}b`)).toBe('ab');
  const own = '![Figure 3]() ![Uploading image 4711 …](/x) ![]() ![Uploading image …]()';
  expect(hasLostImage(own)).toBe(false);
  expect(withImages(own)).toBe(own);
});
