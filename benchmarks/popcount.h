// Population count for AVX-512 processors without that instruction: look up each half byte, add four bytes.
#include <immintrin.h>

static inline __m512i popcount_by_shuffle(__m512i words) {
  const __m512i of_half = _mm512_set4_epi32(0x04030302, 0x03020201, 0x03020201, 0x02010100);
  const __m512i half = _mm512_set1_epi8(15);
  __m512i low = _mm512_shuffle_epi8(of_half, _mm512_and_si512(words, half));
  __m512i high = _mm512_shuffle_epi8(of_half, _mm512_and_si512(_mm512_srli_epi16(words, 4), half));
  __m512i pairs = _mm512_maddubs_epi16(_mm512_add_epi8(low, high), _mm512_set1_epi8(1));
  return _mm512_madd_epi16(pairs, _mm512_set1_epi16(1));
}
#define _mm512_popcnt_epi32 popcount_by_shuffle
