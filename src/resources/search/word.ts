// Words of a text as search knows them: the function search_text of the database takes texts apart alike.

/** Accents: of letters of other scripts the marks stay, since they are vowels. */
const accents = /[\u0300-\u036f]/g;
/** Signs of Chinese and Japanese, which are written without blanks. */
const sign = '\\u3040-\\u30ff\\u3400-\\u9fff\\uf900-\\ufaff';
const word = new RegExp(`[${sign}]+|(?:(?![${sign}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
const isSigns = new RegExp(`^[${sign}]`, 'u');
/** Signs of one word that are looked for. */
const maxSigns = 12;

/** The words of a text in order: in lower case, without accents, with the humps of names apart. */
export function wordsIn(text: string): string[] {
  const apart = text
    .normalize('NFC')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  const plain = apart.normalize('NFD').replace(accents, '').normalize('NFC');
  return lowerCase(plain).match(word) ?? [];
}

/** Each letter by itself, as databases do it: a sigma is one also at the end of a word. */
function lowerCase(text: string): string {
  return Array.from(text, (letter) => letter.toLowerCase()).join('');
}

/** What a word is in the index: itself; of a word of Chinese or Japanese each sign. */
export function lexemesOf(text: string): string[] {
  return isSigns.test(text) ? [...text].slice(0, maxSigns) : [text];
}

/** The singular of an English word. */
export function singular(text: string): string {
  if (text.length < 4 || /(ss|us|is)$/.test(text)) return text;
  if (text.endsWith('ies')) return `${text.slice(0, -3)}y`;
  if (/(ches|shes|sses|xes|zes)$/.test(text)) return text.slice(0, -2);
  return text.replace(/s$/, '');
}

/** Letters of a word from which on what begins so is found, too. */
const shortestBeginning = 3;

/**
 * What words of one family begin with: "return" of "returned"; "category" and "categori" of "categories". None of a
 * word of one or two letters, or of signs, which are found only as they are.
 */
export function beginningsOf(text: string): string[] {
  if (text.length < shortestBeginning || isSigns.test(text) || /^\d+$/.test(text)) return [];
  const stem = stemOf(text);
  if (stem.length < shortestBeginning) return [text];
  return stem.length > 4 && stem.endsWith('y') ? [stem, `${stem.slice(0, -1)}i`] : [stem];
}

function stemOf(text: string): string {
  if (/\d/.test(text)) return text;
  const one = singular(text);
  if (one.length < 6) return one;
  const cut = one.replace(/(ing|ed|ions?|ers?)$/, '');
  if (cut === one || cut.length < 4) return one.length > 5 ? one.replace(/e$/, '') : one;
  // "shipped" is of "ship", and "missing" of "miss".
  return cut.replace(/([bdgkmnprt])\1$/, '$1');
}
