// In charge of nothing yet.
export {};
