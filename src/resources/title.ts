// How a title reads in words.

/** What most titles are written in, of which it takes far less time to say what a capital letter is. */
const isAscii = /^[\x20-\x7e]*$/;

/** The title in words: `order_items` and `orderItems` become `Order Items`. */
export function titleCased(title: string): string {
  return title
    .replace(isAscii.test(title) ? /([a-z\d])([A-Z])/g : /(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .split(/[\s_\-./]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
