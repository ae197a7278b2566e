// Whether pictures are compressed: as asked, or by what is quicker on the connection.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "viewer/deflater.h"
#include "viewer/picture_message.h"

enum { PAYLOAD = 1 << 18 };

static lc_outgoing *picture(uint32_t number)
{
    lc_outgoing *p = lc_outgoing_create(LC_FRAME_HEADER_BYTES + PAYLOAD);
    assert_non_null(p);
    p->binary = p->is_frame = true;
    p->number = number;
    memset(lc_outgoing_bytes(p), 0, p->size_bytes);
    for (size_t i = 0; i < PAYLOAD; i++)
        lc_outgoing_bytes(p)[LC_FRAME_HEADER_BYTES + i] = (unsigned char)(i * i >> 8);
    return p;
}

// A picture that the client has drawn so many milliseconds later; whether it was compressed.
static bool send_one(lc_deflater *d, uint32_t number, double plain_ms, double deflated_ms)
{
    static uint64_t now_ns = 1;
    lc_outgoing *p = picture(number);
    lc_outgoing *compressed = lc_deflater_compress(d, p, false, now_ns);
    const bool deflated = compressed != NULL;
    if (deflated) {
        unsigned char *plain = malloc(PAYLOAD);
        uLongf size = PAYLOAD;
        assert_non_null(plain);
        assert_int_equal(lc_outgoing_bytes(compressed)[1], 1);
        assert_int_equal(uncompress(plain, &size,
                                    lc_outgoing_bytes(compressed) + LC_FRAME_HEADER_BYTES,
                                    compressed->size_bytes - LC_FRAME_HEADER_BYTES),
                         Z_OK);
        assert_int_equal(size, PAYLOAD);
        assert_memory_equal(plain, lc_outgoing_bytes(p) + LC_FRAME_HEADER_BYTES, PAYLOAD);
        free(plain);
    }
    now_ns += (uint64_t)((deflated ? deflated_ms : plain_ms) * 1e6);
    lc_deflater_arrived(d, number, now_ns);
    free(compressed);
    free(p);
    return deflated;
}

static int deflated_of(lc_deflater *d, int pictures, double plain_ms, double deflated_ms)
{
    static uint32_t number;
    int deflated = 0;
    for (int i = 0; i < pictures; i++)
        deflated += send_one(d, ++number, plain_ms, deflated_ms);
    return deflated;
}

static void test_as_asked(void **state)
{
    (void)state;
    lc_deflater d = {.choice = LC_DEFLATE_NEVER};
    assert_int_equal(deflated_of(&d, 20, 500, 1), 0);
    lc_deflater_choose(&d, LC_DEFLATE_ALWAYS);
    assert_int_equal(deflated_of(&d, 20, 1, 500), 20);
    lc_deflater_free(&d);
}

static void test_a_quick_line_has_plain_pictures(void **state)
{
    (void)state;
    lc_deflater d = {.choice = LC_DEFLATE_AUTO};
    assert_int_equal(deflated_of(&d, 300, 15, 5), 0);
    lc_deflater_free(&d);
}

static void test_a_slow_line_has_what_is_quicker(void **state)
{
    (void)state;
    lc_deflater d = {.choice = LC_DEFLATE_AUTO};
    // Compressed is quicker: nearly all of them are.
    assert_in_range(deflated_of(&d, 300, 100, 40), 280, 299);
    // The line has become one on which it is slower: that is found out.
    (void)deflated_of(&d, 300, 60, 200);
    assert_in_range(deflated_of(&d, 300, 60, 200), 1, 30);
    // And when it is quick again nothing is compressed.
    (void)deflated_of(&d, 100, 10, 5);
    assert_int_equal(deflated_of(&d, 100, 10, 5), 0);
    lc_deflater_free(&d);
}

static void test_small_pictures_are_not_worth_it(void **state)
{
    (void)state;
    lc_deflater d = {.choice = LC_DEFLATE_ALWAYS};
    lc_outgoing *p = lc_outgoing_create(LC_FRAME_HEADER_BYTES + 100);
    assert_non_null(p);
    assert_null(lc_deflater_compress(&d, p, false, 1));
    free(p);
    lc_deflater_free(&d);
}

static void test_what_is_acknowledged_must_be_under_way(void **state)
{
    (void)state;
    lc_deflater d = {.choice = LC_DEFLATE_AUTO};
    for (uint32_t i = 0; i < 100; i++)
        lc_deflater_arrived(&d, i * 7919, 1000000000ull * i); // never sent
    assert_true(d.taken_ns[0] == 0 && d.taken_ns[1] == 0);
    assert_int_equal(deflated_of(&d, 10, 15, 5), 0);
    lc_deflater_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_asked),
        cmocka_unit_test(test_a_quick_line_has_plain_pictures),
        cmocka_unit_test(test_a_slow_line_has_what_is_quicker),
        cmocka_unit_test(test_small_pictures_are_not_worth_it),
        cmocka_unit_test(test_what_is_acknowledged_must_be_under_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
